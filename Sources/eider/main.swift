print("eider")
