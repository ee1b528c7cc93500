"""A broker in Python: makes the signed-in member able to call, but moves no money. PORT=8080 python3 broker.py"""
import http.client
import json
import math
import os
import re
import sys
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Replace this with your own sign-in: here, AGENT_TOKENS="secret1:agent001 secret2:agent002" maps each bearer token to a member.
AGENTS = dict(re.findall(r'(?<!\S)([^\s:]+):([A-Za-z0-9]{1,64})(?!\S)', os.environ.get('AGENT_TOKENS', '')))
# An .env file written on Windows leaves a \r at the end.
BASE_URL, API_KEY, HOTLINE_CODE = (os.environ.get(name, '').strip() for name in ('VENDOR_BASE_URL', 'VENDOR_API_KEY', 'HOTLINE_CODE'))
if not re.fullmatch('[!-~]+', API_KEY):  # http.client would print the key in its error
    sys.exit('VENDOR_API_KEY must be ASCII without spaces and line ends')
# Members to whom this process has assigned a hotline: the vendor's response may not list it.
ASSIGNED = set()
ALREADY_ASSIGNED = 409


class VendorError(Exception):
    def __init__(self, path, code, message):
        super().__init__(f'{path}: error {code}, {message}')
        self.code = code


def log(error):
    """The vendor may repeat the key. A quoted text in its message has backslashes: all of them go, to find the key."""
    text = str(error).replace('\\', '')
    print(text.replace(API_KEY.replace('\\', ''), '(key)'), file=sys.stderr)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None  # it would carry the key elsewhere


VENDOR = urllib.request.build_opener(NoRedirect)


def ask(path, body=None):
    headers = {'X-API-Key': API_KEY, 'Content-Type': 'application/json'}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{BASE_URL.rstrip('/')}/api/{path}", data, headers)
    end = time.monotonic() + 10
    try:
        response = VENDOR.open(request, timeout=5)
    except urllib.error.HTTPError as error:
        response = error
    text = b''
    with response:
        while part := response.read1():
            text += part
            if time.monotonic() > end:  # the timeout of 5 seconds begins again with each byte
                raise TimeoutError(f'{path}: the answer takes longer than 10 seconds')
            if len(text) > 1_000_000:
                raise ValueError(f'{path}: the answer is larger than 1 MB')
    answer = json.loads(text)
    if answer.get('error') != 0:
        raise VendorError(path, answer.get('error'), answer.get('message'))
    return answer.get('data')


def read_text(path, value):
    """Returns the text; raises ValueError if it is missing or empty."""
    if not isinstance(value, str) or not value:
        raise ValueError(f'{path}: a text is missing')
    return value


def read_balance(member):
    """An unreadable balance does not mean 0; 500.000 may be 500 or 500000."""
    money = member.get('member_money')
    if type(money) not in (int, float) or not math.isfinite(money):
        raise ValueError('getByMemberNo: member_money is not a number')
    return money


def lists_of(member):
    return [value for name, value in member.items() if 'hotline' in name.lower() and isinstance(value, list)]


def has_hotline(member_no, member, hotline):
    lists = lists_of(member)
    if lists and lists[0]:
        return True
    if not lists and member_no.lower() in ASSIGNED:
        return True
    try:
        result = ask('hotline/member/add', {'member_no': member_no, 'hotline_number': hotline['hotline_number'],
                                            'allow_call': True, 'start_time': '', 'end_time': ''})
        if result is False:
            raise VendorError('hotline/member/add', 0, 'data is false')
    except VendorError as error:
        if error.code != ALREADY_ASSIGNED:
            log(error)
            return False
    ASSIGNED.add(member_no.lower())
    return True


def open_session(member_no):
    hotlines = ask('hotline/getAll')
    if not isinstance(hotlines, list):
        raise ValueError('hotline/getAll: no list')
    hotline = next((one for one in hotlines if HOTLINE_CODE in ('', one['hotline_code'])), None)
    for name in ('hotline_number', 'hotline_code') if hotline else ():
        read_text('hotline/getAll', hotline[name])
    # The token creates an unknown member, so the member can be read only afterwards.
    codes = [hotline['hotline_code']] if hotline else []
    token = read_text('sdk/tokenSdk', ask('sdk/tokenSdk', {'member_no': member_no, 'hotline_codes': codes}))
    member = ask(f'member/getByMemberNo?member_no={member_no}')
    if str(member.get('member_no', '')).lower() != member_no.lower():  # a cache may ignore the query
        raise ValueError('getByMemberNo: another member')
    balance = read_balance(member)
    # A member keeps the hotlines they have. The form of their list is not documented: a number or a code may stand anywhere in it.
    text = json.dumps(lists_of(member))
    usable = [one for one in hotlines if f'"{one["hotline_number"]}"' in text or f'"{one["hotline_code"]}"' in text]
    if not usable and hotline and has_hotline(member_no, member, hotline):
        usable = [hotline]
    for_dialer = [{key: one.get(f'hotline_{key}') for key in ('name', 'number', 'code', 'type')} for one in usable]
    who = {'memberNo': member_no, 'name': member.get('member_name'), 'balance': balance, 'currency': 'VND'}
    without_nulls = lambda row: {key: value for key, value in row.items() if value is not None}
    return {
        'token': token,
        'member': without_nulls(who),
        'hotlines': [without_nulls(one) for one in for_dialer],
        'blockers': ([] if balance > 0 else ['insufficient-funds']) + ([] if usable else ['no-hotline']),
    }


class Broker(BaseHTTPRequestHandler):
    timeout = 10  # for whoever announces a body and sends none

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
        origin, host, length = self.headers['Origin'], self.headers['Host'], self.headers['Content-Length'] or '0'
        if not (length.isascii() and length.isdigit()):
            return refuse(400, 'invalid-request')
        self.rfile.read(min(int(length), 2_000_000))
        if origin is not None and origin not in (f'http://{host}', f'https://{host}'):
            return refuse(403, 'origin-not-allowed')
        if self.command != 'POST':
            return refuse(405, 'invalid-request')
        if int(length) > 4096:
            return refuse(413, 'invalid-request')
        scheme, _, token = self.headers.get('Authorization', '').partition(' ')
        member_no = AGENTS.get(token) if scheme == 'Bearer' else None
        if member_no is None:
            return refuse(401, 'broker-unauthorized')
        try:
            return self.send(200, open_session(member_no))
        except (VendorError, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError,
                http.client.HTTPException) as error:
            log(error)
            return refuse(503, 'vendor-unreachable')

    do_GET = do_POST = do_OPTIONS = answer


ThreadingHTTPServer(('127.0.0.1', int(os.environ.get('PORT') or 8080)), Broker).serve_forever()
