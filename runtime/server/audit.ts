/** Puts the audit log into a server: it hears what is noted of requests, and knows them by the ids that they are sent. */
import { type Audit, defineAudit } from '../access/audit/audit.js';
import type { ApiRequest } from '../request/api-request.js';
import { defineRequestIds } from './answer-headers.js';
import type { ServerOptions } from './server-options.js';

/** The audit log of a server; nothing of it where none is asked for. */
export interface AuditParts {
  readonly audit: Audit | undefined;
  readonly idOf?: (request: ApiRequest) => string;
  /** The options, with the audit log among those who are told of notes. */
  readonly noted: ServerOptions;
}

export function auditOf(options: ServerOptions): AuditParts {
  if (!options.audit) return { audit: undefined, noted: options };
  const idOf = defineRequestIds();
  const audit = defineAudit(options.audit, options.naming, idOf, options.onDefect ?? (() => {}));
  const noted: ServerOptions = {
    ...options,
    onAuditNote(key, value, request) {
      audit.annotate(request, key, value);
      options.onAuditNote?.(key, value, request);
    },
    onDeprecatedUse(use, request) {
      for (const [key, value] of Object.entries(use.annotations)) audit.annotate(request, key, value);
      options.onDeprecatedUse?.(use, request);
    },
  };
  return { audit, idOf, noted };
}
