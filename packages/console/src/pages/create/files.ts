/** Reads documents from files. */

/** The name of the draft of documents. */
export const documentsKey = 'documents';

/** The largest file that is read, bytes. */
const largest = 8 * 1024 * 1024;

/** A file, as a browser provides it. */
type TextFile = Pick<File, 'name' | 'size' | 'text'>;

/** Reads files as one text. Refuses too large and binary files, and names them. */
export async function readFiles(files: readonly TextFile[]): Promise<{ text: string; refused: readonly string[] }> {
  const refused: string[] = [];
  const texts: string[] = [];
  for (const file of files) {
    const text = file.size <= largest ? await file.text().catch(() => '\0') : '\0';
    // The browser reads bytes that are not UTF-8 as U+FFFD.
    if (/[\0\uFFFD]/.test(text)) refused.push(file.name);
    else texts.push(text);
  }
  return { text: texts.reduce(withMore, ''), refused };
}

/** Adds documents to a text. */
export function withMore(text: string, more: string): string {
  if (text.trim() === '' || more.trim() === '') return text.trim() === '' ? more : text;
  return `${text.trimEnd()}\n---\n${more.replace(/^\uFEFF?(?:---[ \t]*\r?\n)?/, '')}`;
}
