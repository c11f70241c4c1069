"""What one does with a topic or a finished run: explain, export, search, crawl again, calibrate."""
