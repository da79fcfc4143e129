"""The bots of Bardwood Grove: random, steady and the solo rival."""
