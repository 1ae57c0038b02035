/** The text of an emitted file. */
import type { OutputFile } from '../../generator/write/output-file.js';

/** Returns the text of a file. Emitters return text or UTF-8. */
export const outputText = ({ content }: OutputFile): string =>
  typeof content === 'string' ? content : Buffer.from(content).toString();
