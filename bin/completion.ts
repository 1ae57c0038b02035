/** Finds all completions in the program's commands; nothing is listed by hand. */
import type { Argument, Command, Option } from 'commander';
import { valuesOf } from './flags/flag.js';

/** A command, and the words that may follow it. */
export interface Node {
  /** The words that call it, without the program's name; empty for the program. */
  readonly path: readonly string[];
  readonly commands: readonly Word[];
  readonly flags: readonly CompletedFlag[];
  /** Whether its arguments are paths of files. */
  readonly takesFiles: boolean;
  /** The values of its first argument, if they are a closed set. */
  readonly words: readonly string[];
}

export interface Word {
  readonly name: string;
  readonly about: string;
}

export interface CompletedFlag {
  /** As in `-o` and `--output`. */
  readonly names: readonly string[];
  readonly about: string;
  /** `none` for a switch; `words` for a closed set; `file` for a path; `any` for anything else. */
  readonly value: 'none' | 'words' | 'file' | 'any';
  readonly words: readonly string[];
}

/** Lists the program and all commands below it, each before its own commands. */
export function nodesOf(command: Command, path: readonly string[] = []): readonly Node[] {
  const below = command.commands.map((child) => ({ child, name: child.name() }));
  const node: Node = {
    path,
    commands: below.map(({ child, name }) => ({ name, about: firstLine(child.description()) })),
    flags: [...command.options.filter(({ hidden }) => !hidden).map(flagOf), help],
    takesFiles: command.registeredArguments.some(isPath),
    words: command.registeredArguments[0]?.argChoices ?? [],
  };
  return [node, ...below.flatMap(({ child, name }) => nodesOf(child, [...path, name]))];
}

const help: CompletedFlag = { names: ['-h', '--help'], about: 'display help for command', value: 'none', words: [] };

function flagOf(option: Option): CompletedFlag {
  const names = [option.short, option.long].filter((name) => name !== undefined && name !== null);
  const words = valuesOf(option) ?? [];
  const takes = option.required || option.optional;
  const value = !takes ? 'none' : words.length > 0 ? 'words' : isPathName(option.flags) ? 'file' : 'any';
  return { names, about: firstLine(option.description), value, words };
}

const isPath = (argument: Argument): boolean => isPathName(argument.name());
const isPathName = (text: string): boolean =>
  /\b(file|files|dir|path|folder)\b/.test(/<([^<>]*)>/.exec(text)?.[1] ?? text);
const firstLine = (text: string): string => text.split('\n')[0] ?? '';

/** Prints the script for bash 4.1 and later. In bash 3.2 it does not complete names of files. */
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

/** Lists the values of each flag that takes one. */
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
  // If the script gives no words, bash completes names of files.
  return 'COMPREPLY=(); return';
}

function wordsCase({ path, commands, flags, words }: Node): string {
  const all = [...commands.map(({ name }) => name), ...words, ...flags.flatMap(({ names }) => names)];
  return `    ${quoted(path.join(' '))}) words=${quoted(all.join(' '))} ;;`;
}

/** Prints the script for fish 3.1 and later. */
export function fishScript(name: string, nodes: readonly Node[]): string {
  const paths = nodes.flatMap(({ path, commands }) => commands.map((one) => [...path, one.name].join(' ')));
  return `# Completes the commands and flags of ${name} in fish; "${name} completion --help" says how to load it.
function __${name}_at
    set -l at
    for word in (commandline -opc)[2..-1]
        switch (string join ' ' -- $at $word)
            case ${paths.map(fishQuoted).join(' ')}
                set -a at $word
        end
    end
    test "$at" = "$argv"
end
complete -c ${name} -f
${nodes.flatMap((node) => nodeLines(name, node)).join('\n')}
`;
}

const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function nodeLines(name: string, { path, commands, flags, takesFiles, words }: Node): string[] {
  const at = `complete -c ${name} -n ${fishQuoted(`__${name}_at ${path.join(' ')}`)}`;
  return [
    ...commands.map((one) => `${at} -a ${fishQuoted(one.name)} -d ${fishQuoted(one.about)}`),
    ...words.map((word) => `${at} -a ${fishQuoted(word)}`),
    ...(takesFiles ? [`${at} -F`] : []),
    ...flags.map((flag) => `${at} ${namesOf(flag)} ${valuePart(flag)}-d ${fishQuoted(flag.about)}`),
  ];
}

const namesOf = ({ names }: CompletedFlag): string =>
  names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ');

function valuePart({ value, words }: CompletedFlag): string {
  if (value === 'words') return `-x -a ${fishQuoted(words.join(' '))} `;
  if (value === 'file') return '-r -F ';
  return value === 'any' ? '-x ' : '';
}

/** Prints the script. It works both as a file in `$fpath` and when sourced. */
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
${paths.map((path) => `      ${zshQuoted(path)}) at=${zshQuoted(path)} ;;`).join('\n')}
    esac
  done
  case "$at:$prev" in
${nodes.flatMap(zshValueCases).join('\n')}
  esac
  case "$at" in
${nodes.map(nodeCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

const zshQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function zshValueCases({ path, flags }: Node): string[] {
  return flags
    .filter(({ value }) => value !== 'none')
    .map((flag) => {
      const patterns = flag.names.map((name) => zshQuoted(`${path.join(' ')}:${name}`)).join(' | ');
      return `    ${patterns}) ${zshReply(flag)}; return ;;`;
    });
}

function zshReply({ value, words }: CompletedFlag): string {
  if (value === 'words') return `values=(${words.map(zshQuoted).join(' ')}); compadd -a values`;
  return value === 'file' ? '_files' : '_message value';
}

function nodeCase({ path, commands, flags, takesFiles, words }: Node): string {
  const described = (names: readonly string[], about: string): string[] =>
    names.map((name) => zshQuoted(`${escaped(name)}:${about}`));
  const commandWords = commands.flatMap(({ name, about }) => described([name], about));
  const flagWords = flags.flatMap(({ names, about }) => described(names, about));
  return [
    `    ${zshQuoted(path.join(' '))})`,
    ...(commandWords.length > 0
      ? [`      subcommands=(${commandWords.join(' ')}); _describe -t commands command subcommands`]
      : []),
    ...(words.length > 0 ? [`      values=(${words.map(zshQuoted).join(' ')}); compadd -a values`] : []),
    `      flags=(${flagWords.join(' ')}); if [[ $PREFIX == -* ]]; then _describe -o -t flags flag flags; fi`,
    ...(takesFiles ? ['      if [[ $PREFIX != -* ]]; then _files; fi'] : []),
    '      ;;',
  ].join('\n');
}

const escaped = (text: string): string => text.replaceAll(':', '\\:');
