/** Reads `unstorage:…`: a driver and its options. */
import type { Result } from '../../runtime/contract/index.js';
import { badRequest } from '../../runtime/objects/status.js';
import type { DriverOption, UnstorageOption } from '../parts/storage-options.js';

/** Options that are text in every driver, even if they look like numbers. */
const TEXTS: readonly string[] = ['base', 'url', 'host', 'username', 'password', 'tableName'];
const FROM_FILE = '-file';

/** Reads the text after `unstorage:`, as in `redis?url=redis://127.0.0.1:6379&db=2`. */
export function readUnstorage(text: string): Result<UnstorageOption> {
  const mark = text.indexOf('?');
  const [driver, search] = mark < 0 ? [text, ''] : [text.slice(0, mark), text.slice(mark + 1)];
  if (!/^[A-Za-z0-9-]+$/.test(driver)) {
    return refuse(`${JSON.stringify(driver)}: must be a driver of unstorage, such as unstorage:fs?base=data`);
  }
  const options = new Map<string, DriverOption>();
  const files = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    const option = name.endsWith(FROM_FILE) ? name.slice(0, -FROM_FILE.length) : name;
    if (!/^[A-Za-z][A-Za-z0-9]*$/.test(option)) return refuse(`${JSON.stringify(name)} is not an option`);
    if (options.has(option) || files.has(option)) return refuse(`option ${option} is given twice`);
    if (option === name) options.set(option, TEXTS.includes(name) ? value : toOption(value));
    else files.set(option, value);
  }
  return { ok: true, value: { driver, options: Object.fromEntries(options), files: Object.fromEntries(files) } };
}

/** Reads a boolean or a whole number. A value in double quotes stays a text. */
function toOption(value: string): DriverOption {
  if (value === 'true' || value === 'false') return value === 'true';
  if (/^(0|[1-9]\d{0,14})$/.test(value)) return Number(value);
  return /^".*"$/.test(value) ? value.slice(1, -1) : value;
}

const refuse = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });
