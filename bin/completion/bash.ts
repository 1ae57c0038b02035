/** Prints the completion of bash. */
import type { CompletedFlag, Node } from './tree.js';

/** The script, for bash 4.1 and later, and for bash 3.2 but for names of files. */
export function bashScript(name: string, nodes: readonly Node[]): string {
  const paths = nodes.flatMap(({ path, commands }) => commands.map((one) => [...path, one.name].join(' ')));
  return `# Completes the commands and flags of ${name} in bash; "${name} completion --help" says how to load it.
_${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at= i words=
  # bash takes --flag=value apart at the sign.
  if [ "$cur" = '=' ]; then cur=; elif [ "$prev" = '=' ]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at\${at:+ }\${COMP_WORDS[i]}" in
${lines(paths, (path) => `      ${quoted(path)}) at=${quoted(path)} ;;`)}
    esac
  done
  case "$at:$prev" in
${nodes.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${lines(nodes, wordsCase)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _${name} ${name}
`;
}

const lines = <T>(items: readonly T[], line: (item: T) => string): string => items.map(line).join('\n');
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The values of a flag that takes one. */
function valueCases({ path, flags }: Node): string[] {
  return flags
    .filter(({ value }) => value !== 'none')
    .map((flag) => {
      const patterns = flag.names.map((name) => quoted(`${path.join(' ')}:${name}`)).join(' | ');
      return `    ${patterns}) ${reply(flag)} ;;`;
    });
}

function reply({ value, words }: CompletedFlag): string {
  if (value === 'words') return `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$cur")); return`;
  // Without an answer of ours, bash completes names of files.
  return 'COMPREPLY=(); return';
}

function wordsCase({ path, commands, flags, words }: Node): string {
  const all = [...commands.map(({ name }) => name), ...words, ...flags.flatMap(({ names }) => names)];
  return `    ${quoted(path.join(' '))}) words=${quoted(all.join(' '))} ;;`;
}
