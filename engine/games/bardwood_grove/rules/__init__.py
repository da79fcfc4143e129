"""The rules of Bardwood Grove: card data, state, actions, steps and scores."""
