import '../ui/theme/theme.css';
import { createRoot } from 'react-dom/client';
import { Boundary } from '../ui/layout/boundary';
import { Clock } from '../ui/lists/time';
import { serverNow } from '../ui/server-time';
import { App } from './app';
import { takeClaim } from './device/claim';

/** What the screen shows first depends on the browser's key, so the build renders nothing into the HTML. */
function start(): void {
  // Before anything else, because the next person must not see it.
  const claim = takeClaim();
  createRoot(document.querySelector('#root') as HTMLElement).render(
    <Boundary>
      <Clock value={serverNow}>
        <App claim={claim} />
      </Clock>
    </Boundary>,
  );
}

if (typeof document !== 'undefined') start();
