package workspace
