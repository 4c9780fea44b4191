"""Writes a file of the given number of small rules, of which 7777 is wrong."""

import sys

print("!n = tensor<?xf32, #graph.dims<n>>")
for number in range(int(sys.argv[1])):
    inner = "graph.abs" if number == 7777 else "graph.neg"
    print(f"""rule.rule @rule_{number}(%x: [n]) -> [n]
  source {{
    %0 = {inner} %x : !n
    %1 = graph.neg %0 : !n
    rule.yield %1 : [n]
  }}
  target {{
    rule.yield %x : [n]
  }}""")
