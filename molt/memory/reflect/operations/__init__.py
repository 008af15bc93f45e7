"""What an operation of a plan does to the files, on the branch and at the approval alike."""
