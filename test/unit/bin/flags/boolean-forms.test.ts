/** Every boolean flag of every command accepts all three forms. */
import type { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { valuesOf } from '../../../../bin/flags/flag.js';
import { createProgram } from '../../../../bin/program.js';

const commandsOf = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(commandsOf)];

const isSwitch = (option: Option): boolean =>
  option.isBoolean() || option.negate || valuesOf(option)?.join() === 'true,false';

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

const switches = commandsOf(createProgram()).flatMap((command) =>
  command.options
    .filter((option) => isSwitch(option) && option.long !== '--version')
    .map((option) => [pathOf(command), option.long ?? ''] as const),
);

/** Parses arguments with a new program. Returns the value of a flag as a text, and the other arguments. */
function parse(path: string, flag: string, args: string[]) {
  const command = commandsOf(createProgram()).find((one) => pathOf(one) === path);
  const option = command?.options.find(({ long }) => long === flag);
  if (!command || !option) throw new Error(`${path} has no ${flag}`);
  const { operands, unknown } = command.parseOptions(args);
  const value: unknown = command.getOptionValue(option.attributeName());
  return {
    value: String(option.negate ? !value : value),
    source: command.getOptionValueSource(option.attributeName()),
    rest: [...operands, ...unknown],
  };
}

describe('a boolean flag', () => {
  it('exists in many commands', () => expect(switches.length).toBeGreaterThan(30));

  it.each(switches)('%s %s takes all three forms', (path, flag) => {
    for (const [args, value] of [
      [[flag], 'true'],
      [[`${flag}=true`], 'true'],
      [[`${flag}=false`], 'false'],
      [[`${flag}=true`, `${flag}=false`], 'false'],
      [[`${flag}=false`, flag], 'true'],
    ] as const) {
      expect(parse(path, flag, [...args, 'word'].slice(0, args.length)), args.join(' ')).toEqual({
        value,
        source: 'cli',
        rest: [],
      });
    }
  });

  it.each([
    [['--quiet', 'word'], 'true', ['word']],
    [['--schemas', '--quiet=true'], 'undefined', []],
    [['--', '--quiet'], 'undefined', ['--quiet']],
    [['--quiet=true', '--http-port=1', '--', '--quiet=false'], 'true', ['--quiet=false']],
  ])('%j of serve: --quiet is %s', (args, value, rest) =>
    expect(parse('kindforge serve', '--quiet', args)).toMatchObject({ value, rest }),
  );

  it('accepts the words true and false as its next argument too, if it has that form', () => {
    const flag = '--service-account-lookup';
    expect(parse('kindforge serve', flag, [flag, 'false'])).toMatchObject({ value: 'false', rest: [] });
    expect(parse('kindforge serve', flag, [flag, '--quiet'])).toMatchObject({ value: 'true', rest: [] });
  });

  it('refuses other values with its name', () => {
    const program = createProgram().configureOutput({ writeErr: () => undefined });
    const serve = program.commands.find((one) => one.name() === 'serve');
    expect(() => serve?.parseOptions(['--quiet=yes'])).toThrow(
      '--quiet=yes: must be --quiet, --quiet=true or --quiet=false',
    );
  });
});
