/** The flag `-o` of commands that print objects. */
import { Option } from 'commander';

/** All that can be written; what ends with `=` has a value behind. */
export const outputFormats = [
  'table',
  'wide',
  'yaml',
  'json',
  'name',
  'jsonpath=',
  'jsonpath-file=',
  'custom-columns=',
  'custom-columns-file=',
] as const;

/** The option `-o`. The command checks its value when it runs, as the code that reads formats is loaded only then. */
export const outputOption = (): Option =>
  new Option('-o, --output <format>', 'output format')
    .choices(outputFormats)
    .argParser((text) => text)
    .default('table');
