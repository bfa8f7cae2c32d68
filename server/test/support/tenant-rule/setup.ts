import { afterEach } from 'vitest';
import { takeErrors } from './database.js';

afterEach(() => {
  const [first] = takeErrors();
  if (first) throw first;
});
