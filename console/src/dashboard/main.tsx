import '../ui/layout/theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { Boundary } from '../ui/layout/boundary';
import { Clock } from '../ui/lists/time';
import { createQueries, svc } from './api';
import { Dashboard } from './dashboard';

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <Boundary>
      <Clock value={() => svc.serverNow()}>
        <QueryClientProvider client={createQueries()}>
          <BrowserRouter basename="/dashboard">
            <Dashboard />
          </BrowserRouter>
        </QueryClientProvider>
      </Clock>
    </Boundary>
  </StrictMode>,
);
