@rem For package.json on Windows: in a POSIX shell `exec node …` makes signals reach the server, here it only runs the command.
@%*
