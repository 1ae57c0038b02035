/** The ways to decide who may do what that come with the server. */
export { defineAlwaysAllow } from './always-allow.js';
