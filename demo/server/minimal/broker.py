"""A minimal broker in Python: a token for who is signed in, and no money. PORT=8080 python3 broker.py"""
import json
import os
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Replace by your own session: here AGENT_TOKENS="secret1:agent001 secret2:agent002" says who a bearer token is.
AGENTS = dict(pair.split(':') for pair in os.environ.get('AGENT_TOKENS', '').split())


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None  # it would carry the key elsewhere


VENDOR = urllib.request.build_opener(NoRedirect)


def issue_token(member_no):
    url = os.environ['VENDOR_BASE_URL'] + '/api/sdk/tokenSdk'
    headers = {'X-API-Key': os.environ['VENDOR_API_KEY'], 'Content-Type': 'application/json'}
    body = json.dumps({'member_no': member_no}).encode()
    with VENDOR.open(urllib.request.Request(url, body, headers), timeout=5) as response:
        answer = json.load(response)
    assert answer.get('error') == 0, 'no token'
    return answer['data']


class Broker(BaseHTTPRequestHandler):
    def send(self, status, body):
        kind = 'json' if status < 400 else 'problem+json'
        self.send_response(status)
        for name, value in (('Content-Type', f'application/{kind}'), ('Cache-Control', 'no-store'),
                            ('X-Content-Type-Options', 'nosniff'), ('Connection', 'close')):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def answer(self):
        refuse = lambda status, code: self.send(status, {'title': code, 'status': status, 'code': code})
        origin, host, size = self.headers['Origin'], self.headers['Host'], self.headers['Content-Length']
        self.rfile.read(min(int(size or 0), 2_000_000))
        if origin is not None and origin not in (f'http://{host}', f'https://{host}'):
            return refuse(403, 'origin-not-allowed')
        if self.command != 'POST':
            return refuse(405, 'invalid-request')
        if int(size or 0) > 4096:
            return refuse(413, 'invalid-request')
        member_no = AGENTS.get(self.headers.get('Authorization', '').removeprefix('Bearer '))
        if member_no is None:
            return refuse(401, 'broker-unauthorized')
        try:
            return self.send(200, {'token': issue_token(member_no), 'blockers': []})
        except Exception:
            return refuse(503, 'vendor-unreachable')

    do_GET = do_POST = do_OPTIONS = answer


ThreadingHTTPServer(('127.0.0.1', int(os.environ.get('PORT', '8080'))), Broker).serve_forever()
