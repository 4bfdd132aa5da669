// Scripts
