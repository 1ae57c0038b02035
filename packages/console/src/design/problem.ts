/** Describes errors: what happened, and what the user can do next. */
import { ApiError, isForbidden, isGone, isNotFound, isUnauthorized } from 'kindforge/client';
import { isAway } from '../data/connection.svelte.js';

export interface ProblemWords {
  readonly title: string;
  /** The message of the server or the connection. */
  readonly text: string;
  readonly next: string;
}

export function wordsOf(error: unknown): ProblemWords {
  const text = error instanceof Error ? error.message : String(error);
  if (isAway(error)) {
    return { title: 'The server does not answer', text, next: 'The page tries again by itself.' };
  }
  if (isUnauthorized(error)) {
    return { title: 'You are signed out', text, next: 'Sign in again to go on.' };
  }
  if (isForbidden(error)) {
    return { title: 'You may not do this', text, next: 'Ask an administrator for a role with this right.' };
  }
  if (isNotFound(error)) {
    return { title: 'This does not exist', text, next: 'It may have been deleted. Go back to the list.' };
  }
  if (isGone(error)) {
    return { title: 'This state is too old', text, next: 'Read it again.' };
  }
  if (error instanceof ApiError) {
    return { title: 'The server refused this', text, next: 'Change what the message names, and try again.' };
  }
  return { title: 'Something went wrong', text, next: 'Try again. If it happens again, reload the page.' };
}
