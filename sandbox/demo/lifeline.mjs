// n8n loads this file before its own code (`node --import`). n8n's stdin is a pipe from the process that started n8n.
// If that process ends, even by a kill, the pipe closes and n8n shuts down normally. So a killed test run leaves no n8n
// running.
import { isMainThread } from 'node:worker_threads';

// n8n's worker threads also load this file, but their stdin is always closed.
if (isMainThread) {
	process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM'));
	process.stdin.resume();
}
