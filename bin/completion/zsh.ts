/** Prints the completion of zsh. */
import type { CompletedFlag, Node } from './tree.js';

/** The script; it works as a file of `$fpath` and by being sourced. */
export function zshScript(name: string, nodes: readonly Node[]): string {
  const paths = nodes.flatMap(({ path, commands }) => commands.map((one) => [...path, one.name].join(' ')));
  return `#compdef ${name}
# Completes the commands and flags of ${name} in zsh; "${name} completion --help" says how to load it.
_${name}() {
  local at= prev=\${words[CURRENT-1]} i
  local -a subcommands flags values
  # zsh leaves --flag=value in one word.
  if [[ $PREFIX == --*=* ]]; then prev=\${PREFIX%%=*}; compset -P '*='; fi
  for ((i = 2; i < CURRENT; i++)); do
    case "$at\${at:+ }\${words[i]}" in
${paths.map((path) => `      ${quoted(path)}) at=${quoted(path)} ;;`).join('\n')}
    esac
  done
  case "$at:$prev" in
${nodes.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${nodes.map(nodeCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function valueCases({ path, flags }: Node): string[] {
  return flags
    .filter(({ value }) => value !== 'none')
    .map((flag) => {
      const patterns = flag.names.map((name) => quoted(`${path.join(' ')}:${name}`)).join(' | ');
      return `    ${patterns}) ${reply(flag)}; return ;;`;
    });
}

function reply({ value, words }: CompletedFlag): string {
  if (value === 'words') return `values=(${words.map(quoted).join(' ')}); compadd -a values`;
  return value === 'file' ? '_files' : '_message value';
}

function nodeCase({ path, commands, flags, takesFiles, words }: Node): string {
  const described = (names: readonly string[], about: string): string[] =>
    names.map((name) => quoted(`${escaped(name)}:${about}`));
  const commandWords = commands.flatMap(({ name, about }) => described([name], about));
  const flagWords = flags.flatMap(({ names, about }) => described(names, about));
  return [
    `    ${quoted(path.join(' '))})`,
    ...(commandWords.length > 0
      ? [`      subcommands=(${commandWords.join(' ')}); _describe -t commands command subcommands`]
      : []),
    ...(words.length > 0 ? [`      values=(${words.map(quoted).join(' ')}); compadd -a values`] : []),
    `      flags=(${flagWords.join(' ')}); if [[ $PREFIX == -* ]]; then _describe -o -t flags flag flags; fi`,
    ...(takesFiles ? ['      if [[ $PREFIX != -* ]]; then _files; fi'] : []),
    '      ;;',
  ].join('\n');
}

const escaped = (text: string): string => text.replaceAll(':', '\\:');
