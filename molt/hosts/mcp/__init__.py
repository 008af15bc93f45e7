"""The server for programs that speak the Model Context Protocol."""
