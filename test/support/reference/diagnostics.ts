/** The tables of docs/diagnostics.md. */
import { type CodeInfo, codeGroups, codes } from '../../../generator/diagnostics/codes.js';
import { table } from './page.js';

/** Prints the tables of the page, with a heading for each group. */
export const codeTables = (): string =>
  Object.entries(codeGroups)
    .map(([start, heading]) => {
      const rows = Object.entries<CodeInfo>(codes)
        .filter(([code]) => code.startsWith(start))
        .map(([code, info]) => [code, severityOf(info), info.meaning, info.cure]);
      return `## ${heading}\n\n${table(['code', 'severity', 'what it means', 'what to do'], rows)}\n`;
    })
    .join('\n');

const severityOf = ({ severity, isTolerated }: CodeInfo): string =>
  isTolerated ? 'error, warning in a CRD' : severity;
