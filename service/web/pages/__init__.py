"""Pages for people with a browser: the home page, the games, and open matches as spectators see them."""
