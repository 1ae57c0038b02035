/** Opens the log that flags ask for. */
import type { Log, LogOptions } from './log.js';

/** Opens a log on standard error. The library for JSON is loaded only where it is used, as it is a tenth of a start. */
export async function openLog({ format, level }: LogOptions): Promise<Log> {
  if (format === 'json') {
    const { jsonLog } = await import('./json-log.js');
    return jsonLog(level);
  }
  const { textLog } = await import('./text-log.js');
  return textLog(level);
}
