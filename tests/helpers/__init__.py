"""What several tests share: small webs, servers, generators, commands, runs."""
