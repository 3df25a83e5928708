"""What GQL says in ways of its own, in the words of the IR that all languages share, before anything else is asked."""
