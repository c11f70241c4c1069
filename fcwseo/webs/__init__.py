"""The world outside as one protocol: frozen webs, generated webs, and archives."""
