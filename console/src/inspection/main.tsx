import '../ui/theme/theme.css';
import { createRoot } from 'react-dom/client';
import { Boundary } from '../ui/layout/boundary';
import { App } from './app';
import { takeToken } from './kept';

// Before anything else, because nobody should see it.
const token = takeToken();

createRoot(document.querySelector('#root') as HTMLElement).render(
  <Boundary>
    <App token={token} />
  </Boundary>,
);
