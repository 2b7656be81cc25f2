-- Places orders for each customer in turn. Each order has a unique reference.
local number = 0
local run, uid, customers = '', '', 1

function init(args)
  run, uid, customers = args[1], args[2], tonumber(args[3])
end

function request()
  number = number + 1
  local body = string.format(
    '{"uid":"%s%02d","line_items":[{"sku":"EGV-SPICE-100","quantity":1}],"reference_id":"%s-%d"}',
    uid, number % customers, run, number)
  return wrk.format('POST', nil, nil, body)
end

-- Counts refusals: 503 means that the server was overloaded, and any other error is wrong. `done` reads the counts.
local thread
function setup(one)
  thread = one
end

refused, other, said = 0, 0, ''
function response(status, _, body)
  if status == 503 then
    refused = refused + 1
  elseif status > 399 then
    other = other + 1
    if said == '' then said = status .. ' ' .. body:sub(1, 200):gsub('[^%w ]', ' ') end
  end
end

-- Prints the result of a run as one line of JSON.
function done(summary)
  local errors = summary.errors
  local wrong = thread:get('other') + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('{"calls":%d,"micros":%d,"wrong":%d,"refused":%d,"said":"%s"}\n',
    summary.requests, summary.duration, wrong, thread:get('refused'), thread:get('said')))
end
