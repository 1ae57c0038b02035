/** Prints the completion of fish. */
import type { CompletedFlag, Node } from './tree.js';

/** The script, for fish 3.1 and later. */
export function fishScript(name: string, nodes: readonly Node[]): string {
  const paths = nodes.flatMap(({ path, commands }) => commands.map((one) => [...path, one.name].join(' ')));
  return `# Completes the commands and flags of ${name} in fish; "${name} completion --help" says how to load it.
function __${name}_at
    set -l at
    for word in (commandline -opc)[2..-1]
        switch (string join ' ' -- $at $word)
            case ${paths.map(quoted).join(' ')}
                set -a at $word
        end
    end
    test "$at" = "$argv"
end
complete -c ${name} -f
${nodes.flatMap((node) => nodeLines(name, node)).join('\n')}
`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function nodeLines(name: string, { path, commands, flags, takesFiles, words }: Node): string[] {
  const at = `complete -c ${name} -n ${quoted(`__${name}_at ${path.join(' ')}`)}`;
  return [
    ...commands.map((one) => `${at} -a ${quoted(one.name)} -d ${quoted(one.about)}`),
    ...words.map((word) => `${at} -a ${quoted(word)}`),
    ...(takesFiles ? [`${at} -F`] : []),
    ...flags.map((flag) => `${at} ${namesOf(flag)} ${valuePart(flag)}-d ${quoted(flag.about)}`),
  ];
}

const namesOf = ({ names }: CompletedFlag): string =>
  names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ');

function valuePart({ value, words }: CompletedFlag): string {
  if (value === 'words') return `-x -a ${quoted(words.join(' '))} `;
  if (value === 'file') return '-r -F ';
  return value === 'any' ? '-x ' : '';
}
