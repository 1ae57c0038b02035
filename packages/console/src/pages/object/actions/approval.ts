/** The facts of a certificate request, and the decision about it. */
import type { DynamicObject } from 'kindforge/client';
import { readCertificateRequest } from '../../../object/csr.js';
import { isMembers } from '../../../object/paths.js';
import { showValue } from '../../../object/show.js';

export interface RequestFacts {
  readonly items: readonly { readonly label: string; readonly value: string }[];
  /** A reason to look twice. */
  readonly warning: string | undefined;
}

/** Returns the facts of the object and of the request in it. */
export function requestFacts({ spec }: DynamicObject): RequestFacts {
  const { signerName, username, groups, usages, expirationSeconds, request } = isMembers(spec) ? spec : {};
  const own = [
    { label: 'Signer', value: showValue(signerName) },
    {
      label: 'Requested by',
      value: [username, ...(Array.isArray(groups) ? groups : [])].map((name) => showValue(name)).join(', '),
    },
    { label: 'Usages wanted', value: Array.isArray(usages) ? usages.map((usage) => showValue(usage)).join(', ') : '' },
    { label: 'Valid for', value: expirationSeconds === undefined ? '' : `${showValue(expirationSeconds)} seconds` },
  ];
  try {
    const read = readCertificateRequest(typeof request === 'string' ? request : '');
    const inside = [
      { label: 'Subject', value: read.subject },
      { label: 'Names', value: read.names.join(', ') },
      { label: 'Key', value: read.key },
      { label: 'Key usages', value: read.usages.join(', ') },
    ];
    return {
      items: [...inside, ...own].filter(({ value }) => value !== ''),
      warning: warningOf(read.subject, read.isAuthority),
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { items: own.filter(({ value }) => value !== ''), warning: `The request cannot be read: ${why}.` };
  }
}

function warningOf(subject: string, isAuthority: boolean): string | undefined {
  if (subject.includes('O=system:masters'))
    return 'Whoever has this certificate may do everything (group system:masters).';
  return isAuthority ? 'The request asks for a certificate that can sign others.' : undefined;
}

/** Returns the object with the decision. */
export function decided(object: DynamicObject, type: 'Approved' | 'Denied', message: string, now: Date): DynamicObject {
  const status = isMembers(object.status) ? object.status : {};
  const conditions = Array.isArray(status.conditions) ? status.conditions : [];
  const time = now.toISOString().replace(/\.\d+Z$/, 'Z');
  const condition = {
    type,
    status: 'True',
    reason: 'ConsoleDecision',
    message: message || `${type} in the console`,
    lastUpdateTime: time,
    lastTransitionTime: time,
  };
  return { ...object, status: { ...status, conditions: [...conditions, condition] } };
}
