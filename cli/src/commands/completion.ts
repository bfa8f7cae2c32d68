import { Argument, type Command } from 'commander';
import type { Commands } from '../command.js';
import { SHELLS, type Shell, scriptFor } from '../completion.js';

export function completionCommand(commands: Commands, program: Command): void {
  commands
    .command('completion', 'print what a shell needs to complete the command line', async (run, [shell]) => {
      const script = scriptFor(shell as Shell, program);
      run.show({ shell, script }, script);
    })
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText(
      'after',
      '\nbash: eval "$(svc completion bash)"   zsh: eval "$(svc completion zsh)"   fish: svc completion fish | source',
    );
}
