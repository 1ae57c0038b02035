/** A command with boolean flags in three forms: `--x`, `--x=true` and `--x=false`. */
import { Command, type Option } from 'commander';
import { valuesOf } from './flag.js';

/** Its subcommands take the three forms too. */
export class BooleanFormsCommand extends Command {
  override createCommand(name?: string): Command {
    return new BooleanFormsCommand(name);
  }

  override parseOptions(argv: string[]): ReturnType<Command['parseOptions']> {
    const { args, switches } = this.#read(argv);
    const parsed = super.parseOptions(args);
    for (const [attribute, value] of switches) this.setOptionValueWithSource(attribute, value, 'cli');
    return parsed;
  }

  /** Separates the switches from the arguments. Adds `=true` to a flag that takes true or false and has no value. */
  #read(argv: readonly string[]): { readonly args: string[]; readonly switches: ReadonlyMap<string, boolean> } {
    const args: string[] = [];
    const switches = new Map<string, boolean>();
    for (let at = 0; at < argv.length; at++) {
      const argument = argv[at] ?? '';
      if (argument === '--') return { args: [...args, ...argv.slice(at)], switches };
      const [name = '', text] = argument.split(/=(.*)/s);
      const option = this.options.find(({ long, short }) => name !== '' && (long === name || short === name));
      if (option?.isBoolean() || option?.negate) {
        const value = text === undefined || this.#boolean(name, text);
        // The last form of a flag counts, so all forms share one entry.
        if (isKept(option)) switches.set(option.attributeName(), value !== option.negate);
        else args.push(name);
      } else if (option && text === undefined && takesTrue(option) && !isValue(argv[at + 1])) {
        args.push(`${name}=true`);
      } else {
        args.push(argument);
        // The next argument is the value of this one, whatever it looks like.
        if (option?.required && text === undefined && at + 1 < argv.length) args.push(argv[++at] ?? '');
      }
    }
    return { args, switches };
  }

  #boolean(name: string, text: string): boolean {
    if (text === 'true' || text === 'false') return text === 'true';
    return this.error(`error: ${name}=${text}: must be ${name}, ${name}=true or ${name}=false`);
  }
}

/** Reports whether a switch is a setting. `--version` is not: it is an action. */
const isKept = ({ long }: Option): boolean => long !== '--version';

const takesTrue = (option: Option): boolean => option.required && valuesOf(option)?.join() === 'true,false';

const isValue = (next: string | undefined): boolean => next !== undefined && !next.startsWith('-');
