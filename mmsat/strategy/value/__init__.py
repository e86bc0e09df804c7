"""What a game is worth when the codemaker hides codes as cleverly as the codebreaker guesses."""
