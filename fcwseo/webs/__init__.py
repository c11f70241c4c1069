"""Webs behind one protocol: frozen webs, generated webs, and archives."""
