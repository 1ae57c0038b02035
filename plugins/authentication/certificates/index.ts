/** Certificates: the users that they stand for, and the authorities that a server makes for itself. */
export { type Authority, clockToleranceMs, defineAuthority, type KeyPair } from './authority.js';
export { defineClientCertificates } from './client-certificates.js';
export { readAuthorities } from './read-authorities.js';
