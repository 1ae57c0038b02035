/** Follows a store in tests that expect no faults. Throws faults without anyone to catch them, so the test fails. */
import type { Follow } from '../../runtime/contract/index.js';
import { Followers, type FollowersOptions } from '../../runtime/server/followers.js';

export const followIn = (store: FollowersOptions['store']): Follow =>
  new Followers({
    store,
    onError: (problem, cause) => void Promise.reject(new Error(problem, { cause })),
  }).follow;
