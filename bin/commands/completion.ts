/** `kindforge completion`: prints a script that completes commands and flags in a shell. */
import { Argument, type Command } from 'commander';

const shells = ['bash', 'zsh', 'fish'] as const;

/** Adds the command. What it needs is loaded only when it runs. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and flags in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      `
For this shell:

  bash   source <(kindforge completion bash)
  zsh    source <(kindforge completion zsh)
  fish   kindforge completion fish | source

For every new shell:

  bash   kindforge completion bash > ~/.local/share/bash-completion/completions/kindforge
  zsh    kindforge completion zsh > a folder of $fpath, as _kindforge
  fish   kindforge completion fish > ~/.config/fish/completions/kindforge.fish`,
    )
    .action(async (shell: (typeof shells)[number]) => {
      const { nodesOf } = await import('../completion.js');
      const nodes = nodesOf(program);
      process.stdout.write(await scriptOf(shell, program.name(), nodes));
    });
}

async function scriptOf(
  shell: (typeof shells)[number],
  name: string,
  nodes: Parameters<typeof import('../completion.js').bashScript>[1],
): Promise<string> {
  if (shell === 'bash') return (await import('../completion.js')).bashScript(name, nodes);
  if (shell === 'zsh') return (await import('../completion.js')).zshScript(name, nodes);
  return (await import('../completion.js')).fishScript(name, nodes);
}
