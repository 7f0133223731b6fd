// All that expat asks for is on the command line.
