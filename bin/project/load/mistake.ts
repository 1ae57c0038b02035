/** A mistake in a configuration, and its place in the text. */

/** Keys and list indexes from the top of the configuration. */
export type ConfigPath = readonly (string | number)[];

export interface Mistake {
  readonly path: ConfigPath;
  /** The words about it, with what was expected. */
  readonly problem: string;
  /** Whether the key itself is wrong. Default: the value is. */
  readonly at?: 'key' | 'value';
}

/** As in `serve.http-port` and `emitters[0]`. */
export const fieldOf = (path: ConfigPath): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('');
