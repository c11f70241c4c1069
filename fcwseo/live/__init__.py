"""The live web: requests to real servers, behind the one method of ``Web``."""
