func.func private @f() attributes {graph.version = #graph.version<1>}
