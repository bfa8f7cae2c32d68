import '../ui/layout/theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Landing } from './landing';

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <Landing />
  </StrictMode>,
);
