import '../ui/theme/theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Boundary } from '../ui/layout/boundary';
import { Clock } from '../ui/lists/time';
import { formatNumber } from '../ui/numbers';
import { BrowserRouter } from '../ui/router/browser-router';
import { Dashboard } from './dashboard';
import { loadAhead } from './load-ahead';
import { createQueries, svc } from './operations/api';

const queries = createQueries();
loadAhead(queries, location);

const render = () =>
  createRoot(document.querySelector('#root') as HTMLElement).render(
    <StrictMode>
      <Boundary>
        <Clock value={() => svc.serverNow()}>
          <QueryClientProvider client={queries}>
            <BrowserRouter basename="/dashboard">
              <Dashboard />
            </BrowserRouter>
          </QueryClientProvider>
        </Clock>
      </Boundary>
    </StrictMode>,
  );

// In tasks of their own: a slow phone needs a tenth of a second to start the code, half as long for its first format, and a tenth
// again to render. Between two tasks it responds.
setTimeout(() => formatNumber(0));
setTimeout(render);
