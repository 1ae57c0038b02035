/** Loads parts of the server that need packages which are installed only by those who use these parts. */
import { OptionError, type OptionName } from './option-error.js';

/** A part of the server, and what it needs. */
export interface OptionalPart {
  /** The option that asks for the part. */
  readonly option: OptionName;
  /** Its value, for the message. */
  readonly value: string;
  readonly packages: readonly string[];
}

/** Loads a part. Rejects with an `OptionError` that says what to install where a package is missing. */
export async function withPackages<T>({ option, value, packages }: OptionalPart, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, packages)) throw error;
    const names = packages.join(' ');
    throw new OptionError(
      (nameOf) =>
        `${nameOf(option)} ${value} needs ${packages.length === 1 ? 'a package that is' : 'packages that are'} not installed ` +
        `beside kindforge: npm install ${names}`,
      { cause: error },
    );
  }
}

/** Node finds no module: of `import`, or of `require` in the built command. */
function isMissing(error: unknown, packages: readonly string[]): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  const missing = error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND';
  return missing && packages.some((name) => error.message.includes(`'${name}`));
}
