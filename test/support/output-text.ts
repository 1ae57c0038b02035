/** The text of an emitted file. */
import type { OutputFile } from '../../generator/write/output-file.js';

/** Emitters hand over text or its UTF-8. */
export const outputText = ({ content }: OutputFile): string =>
  typeof content === 'string' ? content : Buffer.from(content).toString();
