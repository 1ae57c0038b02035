/** Reads comma-separated values (RFC 4180): fields in double quotes may hold commas, line breaks and doubled quotes. */

/** A line that is not empty, and its number from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** The records of a text, blanks around unquoted fields kept out. Linear in the length of the text. */
export function parseCsv(text: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  const field = /[ \t]*(?:"((?:[^"]|"")*)"[ \t]*|([^,\n]*))(,|\r?\n|$)/y;
  let fields: string[] = [];
  let line = 1;
  let firstLine = 1;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (!match) break;
    const [whole, quoted, plain = '', separator] = match;
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += whole.split('\n').length - 1;
    if (separator === ',') {
      if (field.lastIndex < text.length) continue;
      fields.push('');
    }
    if (fields.length > 1 || fields[0] !== '') records.push({ line: firstLine, fields });
    fields = [];
    firstLine = line;
  }
  return records;
}
