/** Reads the arguments of kube-apiserver in all the forms that it takes. */
import type { ApiServerFlag, Treatment } from './api-server-flag.js';
import { apiServerFlags } from './api-server-flags.js';

/** A flag with its value as it was written; a switch has `true` or `false`. */
export interface GivenFlag {
  readonly flag: ApiServerFlag;
  readonly text: string;
}

/** The flags in their order, or what is wrong, in the words of kube-apiserver. */
export type Arguments =
  | { readonly ok: true; readonly given: readonly GivenFlag[] }
  | { readonly ok: false; readonly problem: string };

type Find = (name: string) => ApiServerFlag | undefined;

/** Flags with a short form, by its letter. */
const shorthands: ReadonlyMap<string, string> = new Map([
  ['h', 'help'],
  ['v', 'v'],
]);

/** A flag as it was written: its name, its value if that is in the same argument, and its name for messages. */
interface Written {
  readonly name: string | undefined;
  readonly value: string | undefined;
  readonly told: string;
}

/**
 * Reads `--flag=value`, `--flag value`, `--switch`, `--switch=false`, `-v=4`, `-v 4` and `-v4`. Ignores empty
 * arguments.
 */
export function readArguments(args: readonly string[], find: Find): Arguments {
  const given: GivenFlag[] = [];
  const rest = [...args];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === '') continue;
    if (argument === '--') return rest.every((one) => one === '') ? { ok: true, given } : stray(rest.join(' '));
    if (!argument.startsWith('-') || argument === '-') return stray(argument);
    const { name, value, told } = written(argument);
    if (name === '' || name?.startsWith('-')) return wrong(`bad flag syntax: ${argument}`);
    const flag = name === undefined ? undefined : find(name);
    if (!flag) return wrong(argument.startsWith('--') ? `unknown flag: ${told}` : `unknown shorthand flag: ${told}`);
    const text = value ?? (flag.value === undefined ? 'true' : rest.shift());
    if (text === undefined) return wrong(`flag needs an argument: ${told}`);
    const read = flag.value === undefined ? readSwitch(text) : text;
    if (read === undefined) return wrong(`invalid argument ${JSON.stringify(text)} for ${JSON.stringify(told)} flag`);
    given.push({ flag, text: read });
  }
  return { ok: true, given };
}

function written(argument: string): Written {
  const [, name = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(argument) ?? [];
  if (argument.startsWith('--')) return { name, value, told: `--${name}` };
  const letter = argument.charAt(1);
  const known = shorthands.get(letter);
  const told = known === undefined ? `'${letter}' in ${argument}` : `-${letter}`;
  const behind = argument.slice(2).replace(/^=/, '');
  return { name: known, value: argument.length > 2 ? behind : undefined, told };
}

/** Reads the words for true and false that programs in Go take. */
function readSwitch(text: string): string | undefined {
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return 'true';
  return /^(0|f|F|false|FALSE|False)$/.test(text) ? 'false' : undefined;
}

const wrong = (problem: string): Arguments => ({ ok: false, problem });

const stray = (argument: string): Arguments =>
  wrong(`"kube-apiserver" does not take any arguments, got ${JSON.stringify(argument)}`);

/** Printed before the effect of a flag. */
const words: Readonly<Record<Treatment, string>> = {
  passed: '',
  used: '',
  unused: 'no effect: ',
  warned: 'left out: ',
  refused: 'refused: ',
};

/** Lists each flag at the beginning of its own line, as kube-apiserver does. */
export function printHelp(): string {
  const groups = apiServerFlags.map(({ heading, flags }) => `${heading} flags:\n\n${flags.map(lineOf).join('\n')}\n`);
  return `A stand-in for kube-apiserver, for test suites. Every flag of Kubernetes 1.27 is listed with its effect.

Usage:
  kube-apiserver [flags]

${groups.join('\n')}
All flags of kindforge serve can be set by environment variables, as in KINDFORGE_CONTROLLERS=garbagecollector,namespace.
`;
}

function lineOf({ name, value, treatment, about }: ApiServerFlag): string {
  const short = name === 'v' ? '  -v, ' : name === 'help' ? '  -h, ' : '      ';
  return `${short}--${value === undefined ? name : `${name} ${value}`}`
    .padEnd(58)
    .concat(`  ${words[treatment]}${about}`);
}
