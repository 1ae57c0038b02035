/** Reads from the commands of the program all that can be completed; nothing of it is listed by hand. */
import type { Argument, Command, Option } from 'commander';
import { valuesOf } from '../flags/flag.js';

/** A command, and what may follow it. */
export interface Node {
  /** The words that lead to it, without the program's own; empty for the program. */
  readonly path: readonly string[];
  readonly commands: readonly Word[];
  readonly flags: readonly CompletedFlag[];
  /** Whether its arguments are paths of files. */
  readonly takesFiles: boolean;
  /** The words that its first argument can be, where they are a closed set. */
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
  /** `none` for a switch; `words` for a closed set; `file` for a path; `any` for what nobody can guess. */
  readonly value: 'none' | 'words' | 'file' | 'any';
  readonly words: readonly string[];
}

/** The program and all commands below it, each before those within it. */
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
