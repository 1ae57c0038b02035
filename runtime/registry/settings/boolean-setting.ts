/** Reads one setting of a flag that lists them: `key=true`, `key=false`, or `key`. */

/** A setting as it was written. */
export interface BooleanSetting {
  readonly key: string;
  /** Absent where none is written, or where it is neither true nor false. */
  readonly value: boolean | undefined;
  /** The text after the first `=`; absent where there is none. */
  readonly written: string | undefined;
}

/** Blanks around key and value do not count, nor does the case of the value. */
export function parseSetting(text: string): BooleanSetting {
  const at = text.indexOf('=');
  if (at < 0) return { key: text.trim(), value: undefined, written: undefined };
  const written = text.slice(at + 1).trim();
  return { key: text.slice(0, at).trim(), value: readBoolean(written), written };
}

function readBoolean(text: string): boolean | undefined {
  if (/^(?:true|True|TRUE|t|T|1)$/.test(text)) return true;
  return /^(?:false|False|FALSE|f|F|0)$/.test(text) ? false : undefined;
}
