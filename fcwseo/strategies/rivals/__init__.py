"""The strategies of other papers, a file each."""
