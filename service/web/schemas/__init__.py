"""What bodies hold: marshmallow schemas, each field with its bounds, a description and an example."""
